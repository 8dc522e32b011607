import { useEffect, useState } from 'react'
import { trustedScriptUrl } from '#web/csp/trusted-script-url.ts'

const updateCheckMs = 30 * 60 * 1000

/** Registers the service worker and reports a waiting update, which takes over only on request. */
export function useNewVersion(): { reload: () => void } | null {
  const [ready, setReady] = useState<ServiceWorker | null>(null)

  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    let isUnmounted = false
    let timer: ReturnType<typeof setInterval> | undefined
    const register = async () => {
      const registration = await navigator.serviceWorker
        .register(trustedScriptUrl('/sw.js'), { scope: '/', updateViaCache: 'none' })
        // Blocked or unreachable: the app works online as before.
        .catch(() => undefined)
      if (!registration || isUnmounted) return
      const updateReady = () => {
        if (registration.waiting && navigator.serviceWorker.controller) setReady(registration.waiting)
      }
      registration.addEventListener('updatefound', () =>
        registration.installing?.addEventListener('statechange', updateReady),
      )
      updateReady()
      timer = setInterval(() => void registration.update().catch(() => undefined), updateCheckMs)
    }
    void register()
    return () => {
      isUnmounted = true
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
