/** The texts of all pages, those beside sounds, and those of check items. */

import type { NumberRefusal } from "../number";

export const english = {
  next: "Continue",
  back: "Back",
  submit: "Continue",
  again: "Try again",
  reload: "Load the page again",
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  trialOf: (index: number, total: number) => `${index} of ${total}`,
  progress: "Progress",
  loading: "One moment",

  numberRefused: {
    empty: "Please type a number.",
    "too-long": "That number is too long. Please use at most 30 characters.",
    negative: "That is a negative number. Please use any number above 0.",
    zero: "Zero cannot be used here. Please use any number above 0; it may be as small as you like.",
    exponent: "Please write the number out in full, without an exponent.",
    "several-separators":
      "Please write large numbers without separators, for example 1000, and use one point or comma for decimals.",
    "not-a-number": "That is not a number. Please use digits, with a point or a comma for decimals.",
  } satisfies Record<NumberRefusal, string>,
  negativeZeroAllowed: "That is a negative number. Please use 0 or any number above it.",
  keptWhatYouTyped: "What you typed is still there.",

  modulusHeading: "The reference sentence",
  modulusPrompt: "Give this sentence a number for how acceptable it is. Choose any number above 0.",
  modulusLabel: "Reference sentence",
  referenceHeading: "The reference",
  referencePrompt: "Give this reference a number. Choose any number above 0.",
  referenceLabel: "Reference",
  yourNumber: "Your number",
  targetPrompt: "How acceptable is this sentence, compared with the reference sentence?",
  practice: "Practice",
  lineHeading: "Practice with lines",
  linePrompt: "How long is the lower line, compared with the upper line?",
  lineReference: "Reference line",
  lineTarget: "Line to judge",
  lineNumberIs: (number: string) => `The upper line has the number ${number}.`,

  questionsHeading: "About you",
  preferNotToSay: "Prefer not to say",
  pleaseChoose: "Please choose",
  answerOrDecline: "Please answer, or choose “Prefer not to say”.",
  answerNeeded: "This answer is needed to take part.",
  numberNeeded: "Please write a number in digits.",

  breakHeading: "Time for a break",
  breakDone: (done: number, total: number) => `You have answered ${done} of ${total}. Your answers are saved.`,
  breakHow: "Take as long as you need. Press Enter or the button to go on.",
  breakHowByTouch: "Take as long as you need. Press the button to go on.",
  readInstructionsAgain: "Read the instructions again",
  hideInstructions: "Hide the instructions",

  offline: "offline – saved on this computer",
  retrying: "connecting – saved on this computer",

  openingHeading: "Connecting",
  openingText: "The server cannot be reached at the moment. This page keeps trying; nothing has been lost.",
  uploadingHeading: "Sending your answers",
  uploadingText: (count: number) =>
    count === 1
      ? "1 item is still to be sent. Please keep this page open."
      : `${count} items are still to be sent. Please keep this page open.`,
  uploadingOffline: "Your answers are saved on this computer and will be sent when you are online again.",
  finishing: "Your answers have arrived. One moment.",

  thanksHeading: "Thank you for taking part",
  thanksText: "All your answers have arrived and are stored.",
  completionCode: "Your completion code",
  returnLink: "Go back and finish",
  copy: "Copy",
  copied: "Copied",
  withdrawalCode: "Your withdrawal code",
  withdrawalText: "Keep this code. With it you can have your answers erased later, without giving a reason.",
  withdrawalLink: "Page for withdrawing",
  withdrawalElsewhere:
    "You came by your link alone, so your withdrawal code is not shown here. It is shown on the device on which you began, or after you have typed your resume code.",
  resumeCode: "To continue on another device, use this resume code:",
  resumeAtEnd: "To see this page again on another device, use this resume code:",
  toResume: "Type the resume code",
  contact: "Questions about this study",
  mayClose: "You may now close this page.",

  otherTabHeading: "This study is open in another tab",
  otherTabText:
    "To keep your answers in order, the study runs in one tab at a time. Please go on in the other tab, or close it: this page then continues by itself.",
  otherDeviceHeading: "This study is open on another device",
  otherDeviceText:
    "The study was used on another device or in another browser a moment ago. If that was you, you can go on here; the other page then stops.",
  goOnHere: "Go on here",
  leaseLostHeading: "The study goes on elsewhere",
  leaseLostText:
    "This study was opened on another device or in another browser, so it stops here. Every answer you gave here is saved. You can close this page.",
  noSessionHeading: "There is nothing to continue here",
  noSessionText: "This browser holds no running session for this study. You can start from the study's first page.",
  toLanding: "To the first page",
  endedHeading: "This session has ended",
  endedText:
    "This study has to be done in one go and cannot be continued after an interruption. The answers you gave were kept. Please contact the person responsible if you have questions.",
  notRunningHeading: "This study cannot be continued now",
  storageHeading: "Your answers cannot be saved on this computer",
  storageText:
    "This browser does not let the page store anything, perhaps because it is in private mode or the disk is full. Nothing has been lost. Please open the study in a normal window, or make room, and load the page again.",
  storageWaiting: "This answer could not be saved on this computer. It is being sent before the study goes on.",
  stuckHeading: "Some answers could not be accepted",
  stuckText: (count: number) =>
    `${count === 1 ? "1 answer" : `${count} answers`} could not be accepted by the server. They are kept on this computer. Please leave the page as it is and contact the person responsible.`,
  failureHeading: "Something went wrong on this page",
  failureText:
    "Your answers up to here are saved. Please load the page again; the study goes on where you stopped. If it happens again, contact the person responsible.",
  unsentWarning: "Some answers have not been sent yet.",

  checkBrowser: "Browser",
  checkBrowserPassed: "Your browser can run this study.",
  checkBrowserFailed: "This browser is too old for this study. Please use a current Firefox, Chrome, Edge or Safari.",
  checkStorage: "Storage",
  checkStoragePassed: "Your answers can be kept on this computer until they are sent.",
  checkStorageFailed:
    "Your browser does not let this page store answers. Please leave private mode, or allow this site to store data, and check again.",
  checkWindow: "Window",
  checkWindowPassed: (width: number, height: number) => `The window is large enough (${width} × ${height}).`,
  checkWindowFailed: (width: number, height: number, least: number) =>
    `The window is ${width} × ${height}. Please make it at least ${least} wide, or use a larger screen, and check again.`,
  checkKeyboard: "Keyboard",
  checkKeyboardWaiting: "Please press the space bar.",
  checkKeyboardPassed: "Your keyboard works.",
  checkKeyboardFailed:
    "No key was pressed on a keyboard. This study needs one: open its link on a computer, or connect a keyboard and check again.",
  checkPointer: "Mouse",
  checkPointerWaiting: "Please move the mouse or touch pad over this page.",
  checkPointerPassed: "Your mouse works.",
  checkPointerFailed: "This study needs a mouse or touch pad. Please use a computer that has one.",
  checkPointerOrKeysWaiting:
    "Please move the mouse or touch pad over this page. If you cannot use one, press an arrow key.",
  checkPointerOrKeysMissing:
    "This study needs a mouse or touch pad. Please use a computer that has one. If you read with the keyboard, press an arrow key.",
  checkArrowKeysPassed: "Your arrow keys work.",
  checkScreen: "Screen",
  checkScreenWaiting: "Measuring for a moment.",
  checkScreenPassed: (rate: number) => `The screen is drawn ${rate} times a second.`,
  checkScreenFailed:
    "The screen is drawn too slowly. Please close other programs and tabs, keep this page in front, and check again.",
  checkAgain: "Check again",
  checkWaiting: "to do",
  checkPassed: "passed",
  checkFailed: "not passed",

  sessionCodeMissing: "Please type the session code that the experimenter gives you.",
  sessionCodeWrong: "This session code is not valid. Please ask the experimenter for another one.",
  consentIncomplete: "Please tick every statement that is needed to take part, or choose not to take part.",
  starting: "Starting",
  startFailed:
    "The server could not be reached. Nothing was stored. Please check your connection and press the button again.",
  startTooMany: "Too many people are starting at this moment. Please wait a little and press the button again.",
  unsentHeading: "Answers on this computer are still to be sent",
  unsentText:
    "The person who took part on this computer before you has answers that have not been sent yet. Please open that session for a moment, wait until they are sent, and then come back to this page.",
  sendFirst: "Open that session",
  cannotStart: "You cannot start this study",
  startRefused: {
    "already-taken-part":
      "You have already taken part in this study. Each person can take part once. Thank you for your interest.",
    closed: "This study has ended. Thank you for your interest.",
    paused: "This study is paused at the moment. Please come back later; the link stays the same.",
    full: "This study already has all the participants it needs. Thank you for your interest.",
    "not-open": "This study has not started yet. Please come back later; the link stays the same.",
    "consent-changed":
      "The consent text changed while this page was open. Please load the page again and read the new text.",
  } as Record<string, string>,
  startRefusedOther: "The server did not accept the start. Nothing was stored. Please contact the person responsible.",
};

/** Beside a sound in a trial. */
export const sounds = { listen: "Listen", playAgain: "Play again" };

/** Where check items were not answered as expected. */
export const attempts = {
  checkFailed:
    "Some answers do not fit the instructions. Please read the instructions once more, then answer the questions again.",
  answersFailed: "Some answers are not the expected ones. Please answer the questions once more.",
  toQuestions: "To the questions",
};
