import { describeBoard } from "./board.ts";
import { useBoards } from "./boards.ts";

describeBoard(useBoards());
