import type { ComponentProps } from 'react'
import { classNames } from '../hooks/class-names.ts'

export interface CardProps extends ComponentProps<'div'> {
  kind?: 'card' | 'paper' | 'index'
  padded?: boolean
}

const kindClasses = {
  card: 'rounded-lg border-border bg-card shadow-e1',
  paper: 'rounded-page border-border bg-paper shadow-e2',
  index: 'rounded-xs border-border bg-paper shadow-e1',
}

export function Card({ kind = 'card', padded = true, className, ...rest }: CardProps) {
  return (
    <div
      data-sheet
      {...rest}
      className={classNames(
        'relative min-w-0 border text-card-foreground',
        kindClasses[kind],
        padded && 'px-5 py-[18px] phone:p-4',
        className,
      )}
    />
  )
}
