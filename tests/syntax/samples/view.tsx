import React from 'react';

interface Props { title: string }

// A page.
export const Page = ({ title }: Props) => <h1 className="x">{title}</h1>;

export default class App extends React.Component<Props> {
  render() { return <Page title="a" />; }
}
