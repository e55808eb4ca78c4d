// Lets `node --import` run TypeScript files without a build. The work is done in typescript-hooks.mjs.
import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)
