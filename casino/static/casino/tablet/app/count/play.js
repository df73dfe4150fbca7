// The page of a count, as the frame asks for what is played: nothing is.
export const isRunning = () => false;
