/** Browsers record without a duration, so a player can't show one or seek. A seek past the end makes it find the duration. */
export function forceDurationDetection(player: HTMLMediaElement): void {
  if (Number.isFinite(player.duration)) return
  const returnToStart = () => {
    if (!Number.isFinite(player.duration)) return
    player.removeEventListener('durationchange', returnToStart)
    player.currentTime = 0
  }
  player.addEventListener('durationchange', returnToStart)
  player.currentTime = Number.MAX_SAFE_INTEGER
}
