// Imported before everything else: what other modules begin to read needs the token, and the
// token must not stay in the address.
import { listenToTabs, takeToken } from "./credentials";

takeToken();
listenToTabs();
