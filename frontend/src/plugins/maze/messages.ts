/** The texts of the Maze task. */

import type { english } from "../../languages/english/maze";
import { textsOf } from "../../languages/messages";

export type MazeMessages = typeof english;

export const mazeMessagesIn = textsOf<MazeMessages>("maze");
