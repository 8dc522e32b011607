const numbers = [
  'No',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
]

/** 'Six', at the beginning of a sentence; from thirteen on '13'. */
export const numberWord = (count: number): string => numbers[count] ?? count.toLocaleString('en-US')
