// A minimal server on the official Go SDK: the files of a directory as
// resources, each read once and then kept.
//
//	server DIRECTORY         over standard input and output
//	server DIRECTORY PORT    over HTTP on 127.0.0.1
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var texts sync.Map

func textOf(uri string) (string, error) {
	if text, ok := texts.Load(uri); ok {
		return text.(string), nil
	}
	bytes, err := os.ReadFile(strings.TrimPrefix(uri, "file://"))
	if err != nil {
		return "", err
	}
	texts.Store(uri, string(bytes))
	return string(bytes), nil
}

func read(_ context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := request.Params.URI
	text, err := textOf(uri)
	if err != nil {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	contents := &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: text}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
}

func makeServer(directory string) *mcp.Server {
	accept := func(context.Context, *mcp.SubscribeRequest) error { return nil }
	forget := func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	server := mcp.NewServer(&mcp.Implementation{Name: "go-sdk", Version: "1.8.0"},
		&mcp.ServerOptions{SubscribeHandler: accept, UnsubscribeHandler: forget, PageSize: 100})
	paths, _ := filepath.Glob(filepath.Join(directory, "readme*"))
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		server.AddResource(&mcp.Resource{
			URI: "file://" + path, Name: filepath.Base(path), MIMEType: "text/plain", Size: info.Size(),
			Annotations: &mcp.Annotations{LastModified: info.ModTime().UTC().Format(time.RFC3339)},
		}, read)
	}
	server.AddResourceTemplate(
		&mcp.ResourceTemplate{Name: "files", URITemplate: "file:///{+path}", MIMEType: "text/plain"}, read)
	return server
}

func tellChanges(server *mcp.Server, uri string) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR2)
	for range signals {
		_ = server.ResourceUpdated(context.Background(), &mcp.ResourceUpdatedNotificationParams{URI: uri})
	}
}

func main() {
	directory := os.Args[1]
	server := makeServer(directory)
	go tellChanges(server, "file://"+filepath.Join(directory, "watched.txt"))
	if len(os.Args) == 2 {
		if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Print(err)
		}
		return
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	http.Handle("/mcp", handler)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[2], nil))
}
