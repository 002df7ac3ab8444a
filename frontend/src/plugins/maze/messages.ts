/** The texts of the Maze task. */

import { textsOf } from "../../languages/messages";
import type { english } from "./english";

export type MazeMessages = typeof english;

export const mazeMessagesIn = textsOf<MazeMessages>("maze");
