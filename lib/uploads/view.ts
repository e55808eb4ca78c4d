/** Where the browser sends one file, with the name and type that it must declare. */
export type StartedUpload = { key: string; url: string; fileName: string; contentType: string }
