import "./core/arrive";
import { render } from "preact";
import { installKeys } from "./core/keys";
import { Shell } from "./shell/Shell";
import "./styles/base.css";

installKeys();
const root = document.getElementById("app");
if (root) render(<Shell />, root);
