// What `tsc` should know of the pages' scripts: what they find on a page they find by selectors, which say no type.
type Listener = (event: any) => void;
interface ParentNode { querySelector(selectors: string): any; querySelectorAll(selectors: string): NodeListOf<any>; }
interface NonElementParentNode { getElementById(id: string): any; }
interface Element { closest(selectors: string): any; }
interface TreeWalker { nextNode(): any; }
interface HTMLElement { addEventListener(type: string, listener: Listener, options?: AddEventListenerOptions): void; }
interface Document { getElementById(id: string): any; addEventListener(type: string, listener: Listener, options?: AddEventListenerOptions): void; }
// What one script leaves for the next.
interface Window {
  jiaokan?: { become: (root: Element, witness: string, others: string[]) => void; names: Map<string, string>; passage: (id: string) => any };
  jiaokanWords?: Record<string, string>;
  jiaokanFold?: string;
  jiaokanFind?: any[];
}
