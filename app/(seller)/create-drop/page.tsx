// SPEC §2 names two addresses for one screen.
export { default, metadata } from '../create/page'
