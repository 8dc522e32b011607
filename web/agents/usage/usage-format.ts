const countFormat = new Intl.NumberFormat('en-US')
const compactFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const amountFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

export const formatCount = (count: number) => countFormat.format(count)

export const formatCompactCount = (count: number) => compactFormat.format(count)

/** A configured amount such as '$5.00', as opposed to measured costs. */
export const formatAmount = (dollars: number) => amountFormat.format(dollars)

/** Such as 'Nov 20', for a UTC day. */
export const formatShortDay = (day: string) => dayFormat.format(new Date(day))
