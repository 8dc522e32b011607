import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'

interface ReservedHeightProps {
  name: string
  isLoading: boolean
  /** The usual height of the content, until one is stored. */
  initialClassName?: string
  children?: ReactNode
}

/** While loading, as high as the content last was in this browser; stored for each keeper. */
export function ReservedHeight({ name, isLoading, initialClassName, children }: ReservedHeightProps) {
  const { id = '' } = useParams()
  const key = `${name} ${id}`
  const box = useRef<HTMLDivElement>(null)
  const [minHeight] = useState(() => readHeights().find(([storedKey]) => storedKey === key)?.[1])
  useEffect(() => {
    const content = box.current
    if (isLoading || !content) return
    // Reports the first height after the layout, which measuring here would force.
    const observer = new ResizeObserver(() => storeHeight(key, content.offsetHeight))
    observer.observe(content)
    return () => observer.disconnect()
  }, [key, isLoading])
  return (
    <div
      ref={box}
      {...(isLoading
        ? { style: { minHeight }, className: minHeight === undefined ? initialClassName : undefined }
        : { className: 'empty:hidden' })}
    >
      {children}
    </div>
  )
}

type StoredHeight = [key: string, height: number]

const heightsKey = 'keeper-heights'
/** The oldest are dropped first. */
const maxHeights = 100

function readHeights(): StoredHeight[] {
  try {
    const heights: unknown = JSON.parse(readSetting(heightsKey) ?? '[]')
    return Array.isArray(heights) ? heights.filter(isStoredHeight) : []
  } catch {
    return []
  }
}

function isStoredHeight(value: unknown): value is StoredHeight {
  return Array.isArray(value) && typeof value[0] === 'string' && Number.isFinite(value[1])
}

function storeHeight(key: string, height: number): void {
  const others = readHeights().filter(([storedKey]) => storedKey !== key)
  writeSetting(heightsKey, JSON.stringify([...others, [key, height]].slice(-maxHeights)))
}
