/** Whether files go to the storage without passing through our server. The root layout says so (ADR 0032). */
export const areUploadsDirect = (): boolean => document.body.dataset.uploads === 'direct'
