export function getGridColumns(frames: number): 1 | 2 | 3 {
  if (frames <= 1) return 1
  return frames <= 4 ? 2 : 3
}

/** Container queries: the board's own width decides, not the window's. */
export const gridClasses = {
  1: 'grid-cols-1',
  2: 'grid-cols-1 @min-[560px]:grid-cols-2',
  3: 'grid-cols-1 @min-[560px]:grid-cols-2 @min-[960px]:grid-cols-3',
} as const

export function getSpanClass(frames: number, columns: keyof typeof gridClasses): string | undefined {
  if (frames === 1) return undefined
  return columns === 3 && frames === 2 ? '@min-[560px]:col-span-2' : 'col-span-full'
}
