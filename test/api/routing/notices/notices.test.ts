import { describeSharedAnswers } from "./answers.ts";
import { describeBoard } from "./board.ts";
import { useBoards } from "./boards.ts";
import { describeSharedControls } from "./controls.ts";
import { describeSharedRates } from "./rates.ts";

const boards = useBoards();
describeBoard(boards);
describeSharedRates(boards);
describeSharedControls(boards);
describeSharedAnswers(boards);
