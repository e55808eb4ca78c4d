// When a navigation cannot reach the server, this service worker shows our offline page instead of the browser's error
// page. Every navigation goes to the network and no response is cached, so that no price, stock or countdown is ever
// out of date. The worker handles no other requests.

/**
 * The static routing of service workers, which TypeScript does not know yet.
 * @typedef {{ addRoutes?: (rules: object[]) => Promise<void> }} StaticRouting
 */

// TypeScript does not know that `self` is the scope of a service worker.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self))

const CACHE = 'offline-1'
const PAGE = '/offline'

worker.addEventListener('install', (event) => {
  // In browsers that support static routing, other requests do not start this worker.
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
      // With navigation preload, the browser sends the request while the worker is still starting.
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
