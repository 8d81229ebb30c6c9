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
  jiaokan?: {
    become?: (root: Element, witness: string, others: string[], pointed?: boolean) => void; names?: Map<string, string>; passage?: (id: string) => any;
    named?: () => string; reference?: (id: string) => string; target?: () => any; added?: string; cells?: (owner: Element) => { node: any; at: number; end: number }[];
    address?: (id: string, at?: string) => string; lasting?: () => boolean; witness?: (id: string) => string; forms?: (said: any) => Record<string, string>;
    make?: (tag: string, props: Record<string, any>, ...children: any[]) => any; keep?: (view: URLSearchParams, how?: "replaceState" | "pushState") => string;
    script?: (src: string, taken?: () => any) => Promise<any>;
    present?: (at: any, from: any, label: string, body: any[], words: string) => void;
    marked?: (text: string) => string; all?: () => boolean; near?: (value: string, name?: string) => boolean;
    arrive?: (place: any, how?: any) => void; missing?: (id: string) => void;
    open?: (node: Element) => any[]; gather?: (part: Element) => void; beside?: { show: (columns: any[], whole: any, banner: any) => void; leave: () => void; reach: (id: string) => any };
    position?: (range: Range) => { id: string; at: string } | null; ranges?: (owner: Element, at: number, count: number) => Range[];
    chosen?: () => Range | null; said?: (range: Range) => any; put?: (text: string) => Promise<any>; explain?: () => void; legend?: () => any[];
    plain?: (range: Range) => string; view?: { load: (witness: string, address: string) => Promise<any>; build: (name: string, view: any, edited: (id: string) => any) => any };
    stored?: (key: string) => string; store?: (key: string, value: string) => boolean;
  };
  jiaokanViews?: Record<string, any>;
  jiaokanNames?: Record<string, string>;
  jiaokanPinyin?: string;
  jiaokanWords?: Record<string, Record<string, string>>;
  jiaokanDesk?: any;
  jiaokanFold?: string;
  jiaokanFind?: any[];
  jiaokanCharacters?: Record<string, [string, string, string]>;
  jiaokanPairs?: any[];
  jiaokanGlosses?: [string, string, string, string, string][];
  jiaokanTexts?: [string, string, string, string[], string[], string[]][];
  jiaokanShards?: number;
  jiaokanGrams?: Record<string, number[]>[];
  jiaokanIndex?: { texts: [string, string, string, string[], string[], string[]][]; chapters: { folder: string; section: string; page: string }[]; having: (gram: string) => Promise<number[]> };
}
