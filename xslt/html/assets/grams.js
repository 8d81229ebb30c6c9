// The index of the search: the texts and chapters of the site, and which chapters have two graphs side by side, or a single one. It is
// parted into files by what their code points are, and asked for those that are needed (pipeline/jiaokan/outputs/web/search.py writes them).
"use strict";
self.jiaokanIndex = (() => {
  const texts = self.jiaokanTexts || [], shards = self.jiaokanShards || 1, files = new Map();
  const chapters = texts.flatMap(([folder, , section, pages]) => pages.map((page) => ({ folder, section, page })));
  // The numbers of the chapters that have it, each written as its distance from the one before.
  const having = async (gram) => {
    const number = [...gram].reduce((sum, graph) => sum * 31 + (graph.codePointAt(0) || 0), 0) % shards;
    if (!files.has(number)) files.set(number, self.jiaokan.script(`assets/grams/${number}.js`));
    await files.get(number);
    let at = 0;
    return (self.jiaokanGrams?.[number]?.[gram] || []).map((step) => at += step);
  };
  return { texts, chapters, having };
})();
