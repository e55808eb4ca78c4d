// Serves the page /create at a second URL.
export { default, metadata } from '../create/page'
