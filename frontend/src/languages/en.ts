/** A page in this language loads this script before its own. English is written beside what shows it. */

import { english as media } from "../media/english";
import { english as questions } from "../plugins/background-questions/english";
import { english as knownLanguages } from "../plugins/background-questions/language-english";
import { english as scales } from "../plugins/background-questions/scale-english";
import { english as comparison } from "../plugins/comparison/english";
import { english as maze } from "../plugins/maze/english";
import { english as mouseContingentReading } from "../plugins/mouse-contingent-reading/english";
import { english as rating } from "../plugins/rating/english";
import { english as selfPacedReading } from "../plugins/self-paced-reading/english";
import { english as sentenceRecall } from "../plugins/sentence-recall/english";
import { english as soundCheck } from "../plugins/sound-check/english";
import { english as timedChoice } from "../plugins/timed-choice/english";
import { english as typedProduction } from "../plugins/typed-production/english";
import { english as ratings } from "../ratings/english";
import { english as supervision } from "../supervision/english";
import { attempts, english, sounds } from "./english";
import { speak } from "./messages";

/** All sections; their keys and the values in them are those that every language has. */
export const ENGLISH = {
  pages: english,
  sounds,
  attempts,
  supervision,
  media,
  ratings,
  "known-languages": knownLanguages,
  questions,
  scales,
  comparison,
  maze,
  "mouse-contingent-reading": mouseContingentReading,
  rating,
  "self-paced-reading": selfPacedReading,
  "sentence-recall": sentenceRecall,
  "sound-check": soundCheck,
  "timed-choice": timedChoice,
  "typed-production": typedProduction,
};

speak("en", ENGLISH);
