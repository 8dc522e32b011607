const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 })

export const formatDollars = (amount: number): string => dollarFormat.format(amount)
