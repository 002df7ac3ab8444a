/** A page in this language loads this script before its own. Its texts lie in `english/`, a file for each section. */

import { english as comparison } from "./english/comparison";
import { english as knownLanguages } from "./english/known-languages";
import { english as maze } from "./english/maze";
import { english as media } from "./english/media";
import { english as mouseContingentReading } from "./english/mouse-contingent-reading";
import { attempts, english, sounds } from "./english/pages";
import { english as questions } from "./english/questions";
import { english as rating } from "./english/rating";
import { english as ratings } from "./english/ratings";
import { english as scales } from "./english/scales";
import { english as selfPacedReading } from "./english/self-paced-reading";
import { english as sentenceRecall } from "./english/sentence-recall";
import { english as soundCheck } from "./english/sound-check";
import { english as supervision } from "./english/supervision";
import { english as timedChoice } from "./english/timed-choice";
import { english as typedProduction } from "./english/typed-production";
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
