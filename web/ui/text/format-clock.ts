/** Seconds as a player shows them: 0:07, 12:30, 1:02:03. */
export function formatClock(seconds: number): string {
  const totalSeconds = Math.max(0, Math.round(seconds))
  const [hours, minutes] = [Math.floor(totalSeconds / 3600), Math.floor((totalSeconds % 3600) / 60)]
  const secondsText = String(totalSeconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${secondsText}` : `${minutes}:${secondsText}`
}
