const pollMs = 100
/** A picture that doesn't arrive is missing on paper, as it is on the page. */
const stallMs = 60_000

/** Pictures that are requested but not complete, and other content of the page that is still loading. */
function countLoading(root: ParentNode): { pictures: number; others: number } {
  const images = [...root.querySelectorAll('img')].filter(({ complete }) => !complete).length
  return {
    pictures: root.querySelectorAll('[data-picture-loading]').length + images,
    others: root.querySelectorAll('[aria-busy="true"]').length,
  }
}

/** Resolves when two checks in a row find the page complete, or when loading is stuck or aborted. */
export async function waitForPictures(
  root: ParentNode,
  signal: AbortSignal,
  onChange: (loading: { pictures: number; others: number }) => void,
): Promise<void> {
  let completeLooks = 0
  let last = ''
  let changedAt = performance.now()
  while (completeLooks < 2) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    if (signal.aborted) return
    const loading = countLoading(root)
    completeLooks = loading.pictures + loading.others === 0 ? completeLooks + 1 : 0
    const state = `${loading.pictures} ${loading.others}`
    if (state !== last) {
      last = state
      changedAt = performance.now()
      onChange(loading)
    } else if (performance.now() - changedAt > stallMs) return
  }
  await Promise.allSettled([...root.querySelectorAll('img')].map((image) => image.decode()))
}
