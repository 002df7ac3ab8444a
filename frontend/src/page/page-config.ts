/** The settings that the server's template wrote into the page. */
export function pageConfig<Config>(): Config {
  const text = document.getElementById("lectern-config")?.textContent;
  if (!text) throw new Error('The page has no settings: the element "lectern-config" is missing or empty.');
  return JSON.parse(text) as Config;
}
