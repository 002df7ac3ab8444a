/** Entry of the run page and of the preview. */

import "../page/styles.css";
import { messagesIn } from "../languages/messages";
import { watchForKeys } from "../page/keys";
import { pageConfig } from "../page/page-config";
import { Stage } from "../page/stage";
import { presses } from "../presses/guard";
import { recovering } from "../recovery";
import { sender } from "../server/api";
import type { RunConfig } from "../server/contract";
import { ErrorReports } from "../server/errors";
import { Run } from "../session/run";
import { clock } from "../timing/clock";

async function start(): Promise<void> {
  const config = pageConfig<RunConfig>();
  const root = document.getElementById("lectern");
  if (root === null) throw new Error('The page has no element "lectern".');
  const messages = messagesIn(config.language);
  document.documentElement.lang = config.language;
  watchForKeys();
  const stage = new Stage(root, config, messages);
  const send = sender(config.api);
  presses.listen();
  // The loop runs long before the first stimulus, so that no onset meets a cold one.
  clock.prime();
  const errors = new ErrorReports(config.mode === "run" ? send : null);
  try {
    if (config.mode === "preview") {
      const { Preview } = await import("./preview");
      await new Preview({ config, stage, send, root }).run();
    } else {
      await new Run({ config, messages, stage, send: recovering(send, config.slug), errors }).run();
    }
  } catch (error) {
    errors.report(error, "running the session");
    stage.showFault(messages.failureHeading, messages.failureText);
    throw error;
  }
}

void start();
