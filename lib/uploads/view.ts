/** Where the browser sends one file, with the name and type that it must declare. */
export type StartedUpload = { key: string; url: string; fileName: string; contentType: string }

/** The key under which a photo is kept until its form is sent. */
export type KeptPhoto = { key: string }
