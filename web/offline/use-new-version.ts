import { useEffect, useState } from 'react'
import { trustedScriptUrl } from '#web/csp/trusted-script-url.ts'

const lookAgainMs = 30 * 60 * 1000

/** Registers the service worker and reports a waiting update, which takes over only on request. */
export function useNewVersion(): { reload: () => void } | null {
  const [ready, setReady] = useState<ServiceWorker | null>(null)

  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    let left = false
    let timer: ReturnType<typeof setInterval> | undefined
    const begin = async () => {
      const registration = await navigator.serviceWorker
        .register(trustedScriptUrl('/sw.js'), { scope: '/', updateViaCache: 'none' })
        // Blocked or unreachable: the app works online as before.
        .catch(() => undefined)
      if (!registration || left) return
      const note = () => {
        if (registration.waiting && navigator.serviceWorker.controller) setReady(registration.waiting)
      }
      registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', note))
      note()
      timer = setInterval(() => void registration.update().catch(() => undefined), lookAgainMs)
    }
    void begin()
    return () => {
      left = true
      clearInterval(timer)
    }
  }, [])

  if (!ready) return null
  return {
    reload() {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
      ready.postMessage('take-over')
    },
  }
}
