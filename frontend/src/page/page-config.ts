/** Page configuration, written into the page by the server's template. */
export function pageConfig<Config>(): Config {
  const text = document.getElementById("lectern-config")?.textContent;
  if (!text) throw new Error('The page has no settings: the element "lectern-config" is missing or empty.');
  return JSON.parse(text) as Config;
}
