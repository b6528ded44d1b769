const value = { a: 1 };
export default value;
