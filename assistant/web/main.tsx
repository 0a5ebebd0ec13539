import { render } from "preact";
import { App } from "./app.tsx";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/sessions.css";
import "./styles/composer.css";
import "./styles/turn.css";
import "./styles/chart.css";
import "./styles/chips.css";
import "./styles/table.css";
import "./styles/sql.css";
import "./styles/deliveries.css";
import "./styles/overview.css";
import "./styles/calls.css";
import "./styles/print.css";

const root = document.getElementById("app");
if (root === null) throw new Error("index.html lacks the element #app");
render(<App />, root);
