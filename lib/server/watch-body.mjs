/** @import { IncomingMessage } from 'node:http' */

/**
 * Reports each part of a request's body as it arrives, before anything has read it. Otherwise the server would not know
 * how long a chunked body is, and how slowly it arrives.
 * @param {IncomingMessage} request
 * @param {(chunk: Buffer | null) => boolean} mayPass gets a part, or null at the end of the body. A part for which it
 *   returns false is dropped.
 */
export function watchBody(request, mayPass) {
  const { push } = request
  request.push = (/** @type {Buffer | null} */ chunk, ...rest) =>
    mayPass(chunk) && Reflect.apply(push, request, [chunk, ...rest])
}
