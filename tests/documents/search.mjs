// Asks the search of a built site as its pages do: runs the site's own worker on the site's own index.
// node search.mjs SITE < words.json writes the addresses of the best paragraph and of the first result for every word, as JSON.
import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {runInThisContext} from "node:vm";

const site = process.argv[2];
const workers = join(site, "assets", "javascripts", "workers");
const worker = readdirSync(workers).find((name) => /^search\..*\.js$/.test(name));
let listener;
let answered;
Object.assign(globalThis, {
  self: globalThis,
  addEventListener: (_kind, listens) => (listener = listens),
  postMessage: (message) => answered(message),
});
runInThisContext(readFileSync(join(workers, worker), "utf8"));

const ask = (type, data) =>
  new Promise((resolve) => {
    answered = (message) => resolve(message.data);
    listener({data: {type, data}});
  });
const SETUP = 0;
const QUERY = 2;

await ask(SETUP, {...JSON.parse(readFileSync(join(site, "search", "search_index.json"), "utf8")), options: {suggest: false}});
const found = {};
for (const word of JSON.parse(readFileSync(0, "utf8"))) {
  const {items} = await ask(QUERY, word);
  found[word] = items.slice(0, 3).map((page) => page[0].location);
}
process.stdout.write(JSON.stringify(found));
