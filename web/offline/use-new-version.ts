import { useEffect, useState } from 'react'
import { toTrustedScriptUrl } from '#web/csp/trusted-script-url.ts'

const updateCheckMs = 30 * 60 * 1000

/** Registers the service worker and reports a waiting update, which takes over only on request. */
export function useNewVersion(): { reload: () => void } | null {
  const [waitingWorker, setWaitingWorker] = useState<ServiceWorker | null>(null)

  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    let isUnmounted = false
    let timer: ReturnType<typeof setInterval> | undefined
    const register = async () => {
      const registration = await navigator.serviceWorker
        .register(toTrustedScriptUrl('/sw.js'), { scope: '/', updateViaCache: 'none' })
        // Blocked or unreachable: the app works online as before.
        .catch(() => undefined)
      if (!registration || isUnmounted) return
      const checkWaitingUpdate = () => {
        if (registration.waiting && navigator.serviceWorker.controller) setWaitingWorker(registration.waiting)
      }
      registration.addEventListener('updatefound', () =>
        registration.installing?.addEventListener('statechange', checkWaitingUpdate),
      )
      checkWaitingUpdate()
      timer = setInterval(() => void registration.update().catch(() => undefined), updateCheckMs)
    }
    void register()
    return () => {
      isUnmounted = true
      clearInterval(timer)
    }
  }, [])

  if (!waitingWorker) return null
  return {
    reload() {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
      waitingWorker.postMessage('take-over')
    },
  }
}
