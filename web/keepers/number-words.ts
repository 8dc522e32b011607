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

/** 'Six', for the start of a sentence; from 13 on, digits. */
export const numberWord = (count: number): string => numbers[count] ?? count.toLocaleString('en-US')
