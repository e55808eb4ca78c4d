// A second address of the same page (docs/product.md#create-form).
export { default, metadata } from '../create/page'
