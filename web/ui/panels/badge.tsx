import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

export type BadgeTone = 'neutral' | 'success' | 'info' | 'warning' | 'destructive' | 'ribbon' | 'outlined'

export interface BadgeProps extends ComponentProps<'span'> {
  tone?: BadgeTone
  dot?: boolean
  icon?: ReactNode
  mono?: boolean
}

const toneClasses: Record<BadgeTone, string> = {
  neutral: 'bg-secondary text-secondary-foreground border-transparent',
  success: 'bg-success-soft text-success border-transparent',
  info: 'bg-info-soft text-info border-transparent',
  warning: 'bg-warning-soft text-warning border-transparent',
  destructive: 'bg-destructive-soft text-destructive border-transparent',
  ribbon: 'bg-ribbon-soft text-ribbon-text border-transparent',
  outlined: 'border-border text-muted-foreground',
}

export function Badge({ tone = 'neutral', dot = false, icon, mono = false, className, children, ...rest }: BadgeProps) {
  return (
    <span
      dir="auto"
      {...rest}
      className={classNames(
        'inline-flex h-5 shrink-0 items-center gap-[5px] rounded-[5px] border px-1.5 text-[0.71875rem] leading-none font-label whitespace-nowrap',
        mono ? 'font-mono' : 'font-sans',
        toneClasses[tone],
        className,
      )}
    >
      {dot && <span aria-hidden className="size-1.5 rounded-full bg-current" />}
      {icon}
      {children}
    </span>
  )
}
