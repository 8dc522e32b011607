import { showToast } from '#web/ui/overlays/show-toast.tsx'

export function notifyThemeUnavailable(): Promise<void> {
  return showToast('The theme you used is no longer available, so Keeper Classic is in use.')
}
