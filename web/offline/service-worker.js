// Serves the app where there is no network. Written to /sw.js by build/service-worker.ts, with this build's files.
// It never touches the API, nor uploads, nor the pages before sign-in, and speaks to nobody but this server.
const version = '__VERSION__'
const files = new Set(__FILES__)
const prefix = 'keeper-shell-'
const shell = '/index.html'
const beforeSignIn = ['/', '/login', '/register']
const patienceMs = 4000

const isHashed = (path) => path.startsWith('/assets/')

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('message', ({ data }) => {
  // Only when the person asks for the new version: never while they write.
  if (data === 'take-over') self.skipWaiting()
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (isPageOfApp(pathname)) event.respondWith(page(request))
  } else if (files.has(pathname)) {
    event.respondWith(isHashed(pathname) ? keptFirst(request) : serverFirst(request))
  } else if (isHashed(pathname)) {
    // Of the build before this one, for a tab that still shows it.
    event.respondWith(keptFirst(request))
  }
})

async function install() {
  const cache = await caches.open(prefix + version)
  const waiting = [...files]
  const one = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const known = isHashed(path) ? await caches.match(path) : undefined
      const answer = known ?? (await fetch(path, { cache: isHashed(path) ? 'default' : 'reload' }))
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
      await cache.put(path, answer)
    }
  }
  await Promise.all([one(), one(), one(), one()])
}

async function activate() {
  // In the order in which they were made: this build's, and the one before for tabs that still show it.
  const ours = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== prefix + version)
  await Promise.all(ours.slice(0, -1).map((name) => caches.delete(name)))
  await self.clients.claim()
}

function isPageOfApp(path) {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return !beforeSignIn.includes(path) && !path.startsWith('/api/') && !last.includes('.')
}

/** The newest page there is; without a server, or behind a proxy that finds none, the one of this build. */
async function page(request) {
  const kept = await caches.match(shell, { cacheName: prefix + version })
  if (!kept) return fetch(request)
  const late = new Promise((resolve) => setTimeout(resolve, patienceMs, kept))
  const fresh = fetch(request).then(
    (answer) => ([502, 503, 504].includes(answer.status) ? kept : answer),
    () => kept,
  )
  return Promise.race([fresh, late])
}

async function keptFirst(request) {
  // Not the whole address: each query would be stored as a file of its own.
  const { pathname } = new URL(request.url)
  const kept = await caches.match(pathname, { ignoreVary: true })
  if (kept) return kept
  const answer = await fetch(request)
  // Too large to be fetched ahead, such as what reads PDF: kept from the first time on.
  if (answer.ok && isHashed(pathname)) {
    const cache = await caches.open(prefix + version)
    await cache.put(pathname, answer.clone()).catch(() => undefined)
  }
  return answer
}

async function serverFirst(request) {
  try {
    return await fetch(request)
  } catch (reason) {
    const kept = await caches.match(request, { ignoreVary: true })
    if (kept) return kept
    throw reason
  }
}
