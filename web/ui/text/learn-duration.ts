/** Browsers record without a duration, so that a player shows none and can't be moved; one seek past the end finds it. */
export function learnDuration(player: HTMLMediaElement): void {
  if (Number.isFinite(player.duration)) return
  const returnToStart = () => {
    if (!Number.isFinite(player.duration)) return
    player.removeEventListener('durationchange', returnToStart)
    player.currentTime = 0
  }
  player.addEventListener('durationchange', returnToStart)
  player.currentTime = Number.MAX_SAFE_INTEGER
}
