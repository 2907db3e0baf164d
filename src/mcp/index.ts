// The store over the Model Context Protocol: what the command line uses of this folder.
export { type HttpServer, serveHttp } from "./http.js";
export { serveOverStdio } from "./stdio.js";
export { Service } from "./tool.js";
