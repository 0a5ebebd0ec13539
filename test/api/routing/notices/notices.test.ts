import { describeBoard } from "./board.ts";
import { useBoards } from "./boards.ts";
import { describeSharedRates } from "./rates.ts";

const boards = useBoards();
describeBoard(boards);
describeSharedRates(boards);
