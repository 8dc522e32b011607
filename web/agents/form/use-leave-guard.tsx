import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Doesn't guard addresses where `isSafeAddress` is true, nor going back, because the draft survives in this tab. */
export function useLeaveGuard(unsaved: boolean, staysAt: (address: URL) => boolean) {
  const navigate = useNavigate()
  const [target, setTarget] = useState<string>()

  useEffect(() => {
    if (!unsaved) return
    function beforeUnload(event: BeforeUnloadEvent) {
      event.preventDefault()
    }
    function click(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.hasAttribute('download')) return
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const address = new URL(link.href)
      if (address.origin !== location.origin || staysAt(address)) return
      event.preventDefault()
      event.stopPropagation()
      setTarget(address.pathname + address.search + address.hash)
    }
    addEventListener('beforeunload', beforeUnload)
    document.addEventListener('click', click, { capture: true })
    return () => {
      removeEventListener('beforeunload', beforeUnload)
      document.removeEventListener('click', click, { capture: true })
    }
  }, [unsaved, staysAt])

  return (
    <ConfirmDialog
      open={target !== undefined}
      onOpenChange={(open) => !open && setTarget(undefined)}
      title="Leave with unsaved changes?"
      tone="primary"
      cancelLabel="Stay"
      confirmLabel="Leave"
      onConfirm={() => target && navigate(target)}
    >
      Your changes aren’t saved. They stay in this tab as a draft until you come back.
    </ConfirmDialog>
  )
}
