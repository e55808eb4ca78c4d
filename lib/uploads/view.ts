/** Where the browser sends one file, and how it announces it there. */
export type StartedUpload = { key: string; url: string; fileName: string; contentType: string }
