// Lets node find the page's modules by the names that they have in the page: `yanli/NAME.js`. Given with `--import`.

import {register} from "node:module";

register("./hooks.mjs", import.meta.url);
