/**
 * Words that say nothing about what they name, and how many names of the code have them, by folder. What is stored or
 * public keeps its name, and `shared/memory/search` searches for words. A number may only fall; comments and strings do
 * not count. `test` has the tests of the local service as well.
 */
export const vague: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  place: { shared: 70, functions: 0, infra: 4, test: 1 },
  facts: { shared: 66, functions: 0, infra: 0, test: 0 },
  words: { shared: 38, functions: 0, infra: 6, test: 34 },
  heard: { shared: 0, functions: 0, infra: 0, test: 0 },
  told: { shared: 0, functions: 0, infra: 0, test: 1 },
  asked: { shared: 6, functions: 0, infra: 0, test: 1 },
  kept: { shared: 17, functions: 0, infra: 0, test: 0 },
  held: { shared: 5, functions: 0, infra: 4, test: 4 },
  found: { shared: 38, functions: 0, infra: 2, test: 0 },
  wanted: { shared: 37, functions: 0, infra: 0, test: 6 },
  most: { shared: 0, functions: 0, infra: 0, test: 0 },
  '(one)': { shared: 15, functions: 0, infra: 2, test: 0 },
}
