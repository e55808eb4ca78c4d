// This service worker does one thing: when a navigation cannot reach the server, it shows a page of ours in place of the
// browser's error page. Every navigation goes to the network and no answer is kept, so that no price, stock or clock is ever an
// old one. It handles no other request.

/**
 * The part of service workers that browsers have and TypeScript does not know yet.
 * @typedef {{ addRoutes?: (rules: object[]) => Promise<void> }} StaticRouting
 */

// TypeScript takes `self` for the scope of any kind of worker.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self))

const CACHE = 'offline-1'
const PAGE = '/offline'

worker.addEventListener('install', (event) => {
  // In browsers that know static routing, other requests do not even start this worker.
  /** @type {ExtendableEvent & StaticRouting} */
  const installation = event
  const routes = installation.addRoutes?.([{ condition: { not: { requestMode: 'navigate' } }, source: 'network' }])
  routes?.catch(() => undefined)
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(new Request(PAGE, { cache: 'reload' }))))
  void worker.skipWaiting()
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      // The request is sent while the worker is still starting.
      worker.registration.navigationPreload?.enable(),
      caches
        .keys()
        .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))),
    ]),
  )
})

worker.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(load(event))
})

/** @param {FetchEvent} event */
async function load(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match(PAGE)) ?? Response.error()
  }
}
